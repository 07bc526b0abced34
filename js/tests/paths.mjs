// Where things are.

import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const HERE = dirname(fileURLToPath(import.meta.url))
export const ROOT = join(HERE, '../..')
const BUILT = join(process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target'), 'js')
export const PACKAGE = process.env.PINGALA_PACKAGE ?? join(BUILT, 'package')
export const ADDON = join(BUILT, 'addon/pingala.node')
