/**
 * Vendure with its defaults: no plug-ins, so no search index and no worker. With `BENCH_MIGRATE=1` it creates its
 * tables and ends.
 */
const { bootstrap, DefaultLogger, LogLevel } = require('@vendure/core')
const { json } = require('express')

const isMigration = process.env.BENCH_MIGRATE === '1'

const config = {
  apiOptions: {
    hostname: '127.0.0.1',
    port: Number(process.env.PORT),
    // its limit is 100 kB, less than 200 products
    middleware: [{ handler: json({ limit: '20mb' }), route: '/admin-api', beforeListen: true }],
  },
  authOptions: {
    tokenMethod: 'bearer',
    superadminCredentials: { identifier: process.env.BENCH_USER, password: process.env.BENCH_SECRET },
  },
  dbConnectionOptions: {
    type: 'postgres',
    url: process.env.DATABASE_URL,
    ssl: false,
    synchronize: isMigration,
    logging: false,
  },
  paymentOptions: { paymentMethodHandlers: [] },
  customFields: {
    Product: [
      { name: 'idErp', type: 'string', nullable: true, index: true },
      { name: 'brand', type: 'string', nullable: true },
      { name: 'article', type: 'string', nullable: true, index: true },
      { name: 'sortOrder', type: 'int', nullable: true },
      { name: 'attributes', type: 'text', nullable: true },
    ],
  },
  logger: new DefaultLogger({ level: LogLevel.Warn }),
}

bootstrap(config).then((app) => {
  if (isMigration) return app.close().then(() => process.exit())
})
