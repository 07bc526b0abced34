// The platforms of `make dist` (tools/dist/platforms.py), as the packages of their addons are named. A test compares them.

export const PREBUILT = ['linux-x64-gnu', 'linux-x64-musl', 'linux-arm64-gnu', 'darwin-arm64', 'darwin-x64', 'win32-x64']
