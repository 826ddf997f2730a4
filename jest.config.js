/**
 * Two projects: `source` (unit and integration specs, beside their subject) and `e2e` (flows over HTTP, one after another).
 * `scripts/test.mjs` runs the one, then the other. Specs load the packages' sources, so they need no build for themselves.
 * Node must run with --experimental-vm-modules: Nest 12 is ESM only.
 */
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

const project = {
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

export default {
  maxWorkers: 2,
  // Jest heeds it here only, not in a project; the flows get theirs from scripts/test.
  testTimeout: 30_000,
  projects: [
    {
      ...project,
      displayName: 'source',
      testMatch: ['<rootDir>/{packages,services,scripts,deploy,bench,docs}/**/*.spec.ts'],
    },
    { ...project, displayName: 'e2e', testMatch: ['<rootDir>/e2e/**/*.e2e.spec.ts'] },
  ],
}
