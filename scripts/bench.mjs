// @ts-check
/** `npm run bench [-- name]`: installs, builds and runs the benchmarks against the running product. */
import './node/on-supported-node.mjs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { prepare, root } from './prepare.mjs'
import { provideChromium } from './test/find-chromium.mjs'

provideChromium()
await prepare()
await import(pathToFileURL(join(root, 'bench', 'dist', 'run.js')).href)
