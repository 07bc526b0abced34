// The same with the small module inside: what it lacks is an error.

import wasm from './powers.wasm'
import { installModule } from './inside.js'

installModule('small', wasm)

export * from './index.js'
