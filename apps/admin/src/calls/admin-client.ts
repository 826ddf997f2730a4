import { createAdminClient } from '@partsbus/client/admin-client'
import { prefix } from '../browser/page-address.js'

/**
 * Calls of the admin API by the session of the person: `admin('GET /price-lists/:id', { params: { id: 7 } })`. They are
 * repeated by the query client.
 */
export const admin = createAdminClient({ baseUrl: prefix, retry: false })
