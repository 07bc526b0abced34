// The browsers of this machine.

import { spawnSync } from 'node:child_process'

const PROGRAMS = { chromium: ['chromium', 'chromium-browser', 'google-chrome'], firefox: ['firefox-esr', 'firefox'] }

/** The names of the browsers that are looked for. */
export const BROWSERS = Object.keys(PROGRAMS)

/** The program of a browser; undefined if there is none. */
export function installed (name) {
  return PROGRAMS[name].map(program => spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim()).find(Boolean)
}
