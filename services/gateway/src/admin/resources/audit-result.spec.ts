import { expect, it } from '@jest/globals'
import { type AdminPath, adminRows } from '@partsbus/contracts/http/admin'
import { auditResult } from './audit-result.js'

// admin.md#audit
it.each<[AdminPath, object, object]>([
  ['POST /media-jobs/retry', { retried: 3 }, { retried: 3 }],
  ['POST /media-jobs/:id/retry', { id: 5, status: 'pending' }, {}],
  ['POST /import-tasks/:id/retry', { id: 42, retry_of: 41 }, { task_id: 42 }],
  ['POST /storages', { id: 12, name: 'North' }, { id: 12 }],
])('the entry of %s has from the reply %j: %j', (path, reply, details) => {
  expect(auditResult(adminRows[path], reply)).toEqual(details)
})
