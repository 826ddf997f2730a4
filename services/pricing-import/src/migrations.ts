import type { Migration } from '@partsbus/platform/mongo/migration'

/** The migrations of this service's database, in order; none yet (docs/develop/migrations.md). */
export const migrations: readonly Migration[] = []
