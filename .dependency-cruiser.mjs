/**
 * Import borders and cycles, type imports included. `npm run check -- imports` runs it.
 * A path of a dependency is `node_modules/.pnpm/…/node_modules/NAME/…`, or its bare name where it is not installed.
 */
const SERVICES = '(gateway|administration|catalog|stock|pricing-import|supplier-search)'
const TESTS = '\\.spec\\.ts$|/testing/'
const npm = (...names) => `(^|node_modules/)(${names.join('|')})(/|$)`

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'service-imports-service',
      comment: 'A service asks another one over the bus.',
      severity: 'error',
      from: { path: `^services/${SERVICES}/` },
      to: { path: `^(services|@partsbus)/${SERVICES}/`, pathNot: '^(services|@partsbus)/$1/' },
    },
    {
      name: 'relative-import-leaves-package',
      comment: 'Import it by its package name.',
      severity: 'error',
      from: { path: '^((?:packages|services|apps)/[^/]+/)' },
      to: { dependencyTypes: ['local'], pathNot: ['^$1', 'node_modules'] },
    },
    {
      name: 'root-imports-package-by-path',
      comment: 'Import it by its package name.',
      severity: 'error',
      from: { path: '^(e2e|bench|scripts|deploy|docs)/' },
      to: { dependencyTypes: ['local'], path: '^(packages|services|apps)/[^/]+/(src|dist)/' },
    },
    {
      name: 'platform-imports-workspace',
      comment: 'The platform serves any domain: of the workspace it imports contracts alone.',
      severity: 'error',
      from: { path: '^packages/platform/src/', pathNot: TESTS },
      to: { path: '^(packages|services|@partsbus)/', pathNot: '^(packages|@partsbus)/(platform|contracts)/' },
    },
    {
      name: 'http-guard-import',
      comment: 'It knows HTTP and errors: no domain, no bus, no database, no framework.',
      severity: 'error',
      from: { path: '^packages/http-guard/src/', pathNot: TESTS },
      to: {
        pathNot: [
          '^packages/http-guard/src/',
          '^packages/contracts/(src|dist)/(app-error|body-error)\\.',
          '^packages/platform/(src|dist)/(async/|net/address-key\\.)',
          npm('lru-cache'),
          '^(node:)?(crypto|http|net|stream)$',
        ],
      },
    },
    {
      name: 'gateway-without-database',
      comment: 'The gateway owns no data: what it needs of a database, a service does.',
      severity: 'error',
      from: { path: '^services/gateway/src/', pathNot: TESTS },
      to: { path: ['^packages/platform/(src|dist)/(mongo/|process/(runtime|service)\\.)', npm('mongodb')] },
    },
    {
      name: 'contracts-import',
      comment: 'Contracts depend on zod alone.',
      severity: 'error',
      from: { path: '^packages/contracts/src/', pathNot: TESTS },
      to: { pathNot: ['^packages/contracts/src/', npm('zod')] },
    },
    {
      name: 'client-import',
      comment: 'The client runs in browsers: it has types of the contracts, and schemas only to validate answers.',
      severity: 'error',
      from: { path: '^packages/client/src/', pathNot: ['/validate-answer\\.ts$', TESTS] },
      to: { pathNot: '^packages/client/src/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'published-package-import',
      comment: 'What is installed from a registry has the entry points of a package alone (publishConfig.exports).',
      severity: 'error',
      from: { path: '^packages/(client|cli)/src/', pathNot: TESTS },
      to: {
        path: '^(packages|@partsbus)/',
        pathNot: [
          '^packages/$1/',
          '^(packages|@partsbus)/contracts/((src|dist)/)?(admin|b2b|erp|errors|events)(\\.|$)',
          '^(packages|@partsbus)/client/((src|dist)/)?(admin-client|answer-error|erp-client|partner-client)(\\.|$)',
        ],
      },
    },
    {
      name: 'price-file-import',
      comment: 'price-file turns bytes into rows and is usable alone.',
      severity: 'error',
      from: { path: '^packages/price-file/src/', pathNot: TESTS },
      to: {
        path: [
          '^(packages|services|@partsbus)/',
          npm('mongodb', '@nats-io', 'nats', 'fastify', 'undici', '@nestjs'),
          '^(node:)?(http|https|http2)$',
        ],
        pathNot: '^packages/price-file/',
      },
    },
    {
      name: 'test-kit-import',
      comment: 'It makes test data; code that ships has no use for it.',
      severity: 'error',
      from: { path: '^(packages|services)/[^/]+/src/', pathNot: ['^packages/test-kit/', TESTS] },
      to: { path: '^(packages|@partsbus)/test-kit/' },
    },
    {
      name: 'nest-import',
      comment: 'Outside the platform only services import Nest, and only @nestjs/common.',
      severity: 'error',
      from: { path: '^(packages|services)/[^/]+/src/', pathNot: ['^packages/platform/', TESTS] },
      to: { path: npm('@nestjs'), pathNot: npm('@nestjs/common') },
    },
    {
      name: 'nest-in-package',
      comment: 'Packages other than the platform know no framework.',
      severity: 'error',
      from: { path: '^packages/', pathNot: ['^packages/platform/', TESTS] },
      to: { path: npm('@nestjs') },
    },
    {
      name: 'zod-import',
      comment: 'Schemas live in contracts; a service declares only its configuration.',
      severity: 'error',
      from: { path: '^services/[^/]+/src/', pathNot: ['(^|[/-])config\\.ts$', TESTS] },
      to: { path: npm('zod'), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pages-import',
      comment:
        'The pages import the client and the kit of the pages; of contracts types, and schemas only by import().',
      severity: 'error',
      from: { path: '^apps/admin/src/', pathNot: TESTS },
      to: { path: '^(packages|services|@partsbus)/', pathNot: '^(packages|@partsbus)/(client|contracts)/' },
    },
    {
      name: 'pages-import-schema',
      comment:
        'A page that loads schemas at once costs everybody: import() those of src/schemas with the form. ' +
        'article, change-kinds and skipped-columns have none.',
      severity: 'error',
      from: { path: '^apps/admin/src/', pathNot: [TESTS, '^apps/admin/src/schemas/'].flat() },
      to: {
        path: '^(packages|@partsbus)/contracts/|^apps/admin/src/schemas/|' + npm('zod'),
        pathNot: '^packages/contracts/(src|dist)/(article|pricing-import/(change-kinds|skipped-columns))\\.',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
    {
      name: 'pages-kit-import',
      comment: 'The kit of the pages knows no page: it imports calls, texts and what the browser has.',
      severity: 'error',
      from: { path: '^apps/admin/src/ui/', pathNot: TESTS },
      to: { path: '^apps/admin/src/', pathNot: '^apps/admin/src/(ui|calls|texts|browser|schemas)/' },
    },
    {
      name: 'pages-calls-import',
      comment: 'Calls know neither the kit nor texts.',
      severity: 'error',
      from: { path: '^apps/admin/src/calls/', pathNot: TESTS },
      to: { path: '^apps/admin/src/', pathNot: '^apps/admin/src/(calls|browser)/' },
    },
    {
      name: 'pages-texts-import',
      comment: 'Texts import texts, and the loader of their chunks.',
      severity: 'error',
      from: { path: '^apps/admin/src/(texts|browser)/', pathNot: TESTS },
      to: { path: '^apps/admin/src/', pathNot: '^apps/admin/src/(texts|browser)/' },
    },
    {
      name: 'admin-import',
      comment: 'Nothing imports the pages: the gateway serves what was built.',
      severity: 'error',
      from: { pathNot: '^apps/admin/' },
      to: { path: '^(apps|@partsbus)/admin/' },
    },
    {
      name: 'mongodb-import',
      comment: 'The driver is used by stores of a service, by packages that store files and by tests.',
      severity: 'error',
      from: {
        path: '^(packages|services)/[^/]+/src/',
        pathNot: [
          '^packages/(platform|file-store|upload-store|local-stack|test-kit)/',
          '^services/.*(-store|(^|[/-])context)\\.ts$',
          TESTS,
        ],
      },
      to: { path: npm('mongodb') },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default', 'node'],
    },
  },
}
