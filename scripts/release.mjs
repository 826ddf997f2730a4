// @ts-check
/**
 * `npm run release -- --registry registry.example.org/partsbus` (in lower case): makes everything that a release of
 * this version consists of, and tries it: the packages in a project of their own, the bundle in an empty folder, and,
 * where there is a Docker engine, the images by running the bundle. Nothing is pushed; that is for the workflow.
 */
import './node/on-supported-node.mjs'
import { parseArgs } from 'node:util'
import { version } from './bundle/make-bundle.mjs'
import { root } from './prepare.mjs'
import { runCommand } from './start/run-command.mjs'

const { values } = parseArgs({ options: { registry: { type: 'string', default: 'localhost/partsbus' } } })

const steps = [
  ['scripts/pack.mjs'],
  ['scripts/bundle.mjs', '--registry', values.registry],
  ['scripts/packages/check-packages.mjs', 'dist/packages'],
  ['scripts/try-bundle.mjs', `dist/bundle/partsbus-${version}.tar.gz`],
  ['node_modules/jest/bin/jest.js', '--selectProjects', 'compose'],
]
for (const args of steps) {
  console.error(`\n${args.join(' ')}`)
  const failure = await runCommand(process.execPath, args, { cwd: root })
  if (failure === undefined) continue
  console.error(failure)
  process.exit(1)
}
console.error(`\nPartsbus ${version}: dist/packages, dist/bundle. Images are built where there is an engine.`)
