const { defineConfig } = require('@medusajs/framework/utils')

const http = {
  jwtSecret: process.env.BENCH_SECRET,
  cookieSecret: process.env.BENCH_SECRET,
  storeCors: '*',
  adminCors: '*',
  authCors: '*',
}

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false } },
    http,
  },
  admin: { disable: true },
})
