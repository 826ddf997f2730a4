import { join } from 'node:path'
import { measureCapacity } from './series/capacity.js'
import { check } from './runs/check.js'
import { measureOneRow } from './load/one-row.js'
import { runPeers } from './peers/run-peers.js'
import { profile } from './profile/profile.js'
import { runGroups } from './runs/run-groups.js'

/*
 * npm run bench                    all groups but growth
 * npm run bench -- stocks search   some of readers, overload, mixed, products, stocks, gateway, memory, imports,
 *                                  search, pages, growth, migrations
 * BENCH_SCALE=1 npm run bench      all groups at full size; what was measured is stored, so that a second run goes on
 * BENCH_SCALE=0.02                 a share of the full sizes of readers, overload, mixed, imports, search, growth and
 *                                  migrations
 * npm run bench -- --fresh growth  measures again what is stored
 * npm run bench -- --check         compares ratios at a reduced size with the recorded ones; fails when one fell
 * npm run bench -- profile         where the processor time goes, into profile.md; BENCH_PROFILES=FOLDER keeps the CPU
 *                                  profiles
 * npm run bench -- peers           Medusa, Vendure, Directus and Partsbus with the same products, into peers.md;
 *                                  BENCH_SECONDS limits each pass
 * npm run bench -- one-row [CHECKOUT…]  wall and processor time of lists of one row, in turn
 * npm run bench -- capacity        bytes, memory and processor time for each item, into capacity.md
 * Each prints its figures, stores them in bench/results, and writes from them its part of benchmarks.md, growth of
 * growth.md. The pages are in docs/measurements.
 */
const root = join(import.meta.dirname, '..', '..')
const wanted = process.argv.slice(2)
const ownPages: Record<string, () => Promise<void>> = {
  '--check': () => check(root),
  capacity: () => measureCapacity(root),
  'one-row': () => measureOneRow(wanted.length > 1 ? wanted.slice(1) : [root]),
  peers: () => runPeers(root, wanted.slice(1)),
  profile: () => profile(root),
}
await (ownPages[wanted[0] ?? '']?.() ?? runGroups(root, wanted))
// connections of a step that failed may still be open
process.exit()
