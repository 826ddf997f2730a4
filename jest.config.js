/**
 * Four projects, by the suffix of a spec:
 *   unit  x.spec.ts           pure code; no server, no build
 *   int   x.int.spec.ts       a real database and a real bus
 *   e2e   x.e2e.spec.ts       the running product over HTTP, one file after another
 *   long  x.long.e2e.spec.ts  the same, for what takes minutes: series of kills, soak, overload
 * `npx jest FILE` runs any of them. The servers are started by `globalSetup`, only when a spec of that project is in the run,
 * and only those that MONGODB_URL and NATS_URL do not name.
 */
import { runWithModuleFlag } from './scripts/test/run-with-module-flag.mjs'

runWithModuleFlag()

const transform = {
  '^.+\\.ts$': [
    '@swc/jest',
    {
      jsc: {
        target: 'es2023',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true },
        keepClassNames: true,
      },
      module: { type: 'es6' },
      sourceMaps: 'inline',
    },
  ],
}

const UNIT = ['\\.int\\.spec\\.ts$', '\\.e2e\\.spec\\.ts$']
const LONG = ['\\.long\\.e2e\\.spec\\.ts$']

const common = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform,
  moduleNameMapper: {
    '^@partsbus/([^/]+)/(.+)$': '<rootDir>/packages/$1/src/$2.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/\\.state', '/dist/'],
}

const withServers = {
  ...common,
  globalSetup: '<rootDir>/scripts/test/start-servers.mjs',
  globalTeardown: '<rootDir>/scripts/test/stop-servers.mjs',
}

const SOURCE = '<rootDir>/{packages,services,scripts,deploy,bench,docs}/**/'

export default {
  maxWorkers: 2,
  // Jest reads it here only, not in a project; scripts/test.mjs sets a longer one for e2e and long.
  testTimeout: 30_000,
  projects: [
    { ...common, displayName: 'unit', testMatch: [`${SOURCE}*.spec.ts`], testPathIgnorePatterns: UNIT },
    { ...withServers, displayName: 'int', testMatch: [`${SOURCE}*.int.spec.ts`] },
    {
      ...withServers,
      displayName: 'e2e',
      testMatch: ['<rootDir>/e2e/**/*.e2e.spec.ts'],
      testPathIgnorePatterns: LONG,
    },
    { ...withServers, displayName: 'long', testMatch: ['<rootDir>/e2e/**/*.long.e2e.spec.ts'] },
  ],
}
