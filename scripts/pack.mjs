// @ts-check
/** `npm run pack`: builds what is published, and packs it into `dist/packages`. */
import './node/on-supported-node.mjs'
import { join } from 'node:path'
import { packPackages } from './packages/pack-packages.mjs'
import { prepare, root } from './prepare.mjs'

await prepare()
for (const file of Object.values(await packPackages(root, join(root, 'dist', 'packages')))) console.log(file)
