import { expect, it } from '@jest/globals'
import { adminOperations } from '@partsbus/contracts/admin/operations'
import { auditResult } from './audit-result.js'
import { type ResourcePath, resourceRoute } from './resource-routes.js'

// admin.md#audit
it.each<[ResourcePath, object, object]>([
  ['POST /media-jobs/retry', { retried: 3 }, { retried: 3 }],
  ['POST /media-jobs/:id/retry', { id: 5, status: 'pending' }, {}],
  ['POST /import-tasks/:id/retry', { id: 42, retry_of: 41 }, { task_id: 42 }],
  ['POST /storages', { id: 12, name: 'North' }, { id: 12 }],
])('the entry of %s has from the reply %j: %j', (path, reply, details) => {
  expect(auditResult(adminOperations[path], resourceRoute(path) ?? { command: {} as never }, reply)).toEqual(details)
})
