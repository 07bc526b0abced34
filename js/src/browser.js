// Browsers, and everything else that has no addons: WebAssembly, whose module is inside this file.

import wasm from './pingala.wasm'
import { installModule } from './inside.js'

installModule('whole', wasm)

export * from './index.js'
