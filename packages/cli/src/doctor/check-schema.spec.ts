import { expect, it } from '@jest/globals'
import { codeVersion, type Migration } from '@partsbus/platform/mongo/migration'
import { codeVersions } from './check-schema.js'
import { serviceNames } from './services.js'

it.each(serviceNames)('the version of %s is that of its last migration', async (service) => {
  const built = new URL(`../../../../services/${service}/dist/migrations.js`, import.meta.url)
  const { migrations } = (await import(built.href)) as { migrations: readonly Migration[] }
  expect(codeVersions[service]).toBe(codeVersion(migrations))
})
