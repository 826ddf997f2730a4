/**
 * Nine projects:
 *   unit      x.spec.ts                    pure code; no server, no build
 *   int       x.int.spec.ts                a real database and a real bus
 *   slow      x.slow.spec.ts               the same, for files that take ten seconds of processor time or wait for long
 *   contract  e2e/contract/x.e2e.spec.ts   HTTP requests to one running product, shared by all files
 *   pages     e2e/pages/x.e2e.spec.ts      scenarios of the admin pages in Chromium, on a product they share
 *   e2e       e2e/x.e2e.spec.ts            each file starts and disturbs a product of its own, beside other files
 *   long      e2e/x.long.e2e.spec.ts       the same, for what bounds times by less than some seconds: one at a time
 *   background  x.background.spec.ts       what computes and bounds no time: at the lowest priority, beside `long`
 *   compose   deploy/x.engine.spec.ts      containers of a Docker engine; only by `npm run test:compose`
 * `npx jest FILE` runs a spec of any project. The `globalSetup` of a project starts the servers that it needs, and runs
 * only when one of its specs does.
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

const SETUP = '<rootDir>/scripts/test'
const globalTeardown = `${SETUP}/started.mjs`
const SOURCE = '<rootDir>/{packages,services,apps,scripts,deploy,bench,docs}/**'
const E2E = '<rootDir>/e2e/**'

const common = {
  rootDir: import.meta.dirname,
  runtime: `${import.meta.dirname}/scripts/test/native-packages-runtime.mjs`,
  injectGlobals: false,
  testEnvironment: `${SETUP}/leak-checking-environment.mjs`,
  extensionsToTreatAsEsm: ['.ts'],
  transform,
  moduleNameMapper: {
    // the pages are built by Vite; the gateway resolves their package as it is
    '^@partsbus/(?!admin/)([^/]+)/(.+)$': '<rootDir>/packages/$1/src/$2.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/\\.state', '/dist/'],
}

const onProduct = { ...common, runner: `${import.meta.dirname}/scripts/test/serial-runner.mjs` }

export default {
  // integration specs mostly wait, for timers and servers: on two cores 4 take 225 s, 3 take 271 s
  maxWorkers: 4,
  // Jest reads it here only, not in a project; scripts/test.mjs sets a longer one for what runs against a product.
  testTimeout: 120_000,
  // a worker with hundreds of MB takes longer to end than the half second after which Jest reports a leak
  workerGracefulExitTimeout: 10_000,
  testSequencer: `${import.meta.dirname}/scripts/test/fixed-order.mjs`,
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: [`${SOURCE}/*.spec.ts`],
      testPathIgnorePatterns: ['\\.(int|slow|background|engine)\\.spec\\.ts$'],
    },
    {
      ...common,
      displayName: 'int',
      testMatch: [`${SOURCE}/*.int.spec.ts`],
      globalSetup: `${SETUP}/start-servers.mjs`,
      globalTeardown,
    },
    {
      ...common,
      displayName: 'slow',
      testMatch: [`${SOURCE}/*.slow.spec.ts`],
      globalSetup: `${SETUP}/start-servers.mjs`,
      globalTeardown,
    },
    {
      ...onProduct,
      displayName: 'contract',
      testMatch: ['<rootDir>/e2e/contract/*.e2e.spec.ts'],
      globalSetup: `${SETUP}/start-product.mjs`,
      globalTeardown,
    },
    {
      ...common,
      displayName: 'e2e',
      testMatch: [`${E2E}/*.e2e.spec.ts`],
      testPathIgnorePatterns: ['/e2e/(contract|pages)/', '\\.(long|background)\\.e2e\\.spec\\.ts$'],
      globalSetup: `${SETUP}/build.mjs`,
    },
    {
      ...onProduct,
      displayName: 'pages',
      testMatch: ['<rootDir>/e2e/pages/*.e2e.spec.ts'],
      testPathIgnorePatterns: ['\\.long\\.e2e\\.spec\\.ts$'],
      globalSetup: `${SETUP}/start-pages.mjs`,
      globalTeardown,
    },
    {
      ...onProduct,
      displayName: 'long',
      testMatch: [`${E2E}/*.long.e2e.spec.ts`],
      globalSetup: `${SETUP}/build.mjs`,
    },
    {
      ...common,
      displayName: 'background',
      testMatch: [`${SOURCE}/*.background.spec.ts`, `${E2E}/*.background.e2e.spec.ts`],
      globalSetup: `${SETUP}/build.mjs`,
    },
    {
      ...common,
      displayName: 'compose',
      testMatch: ['<rootDir>/deploy/*.engine.spec.ts'],
    },
  ],
}
