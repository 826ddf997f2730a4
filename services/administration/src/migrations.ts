import type { Migration } from '@partsbus/platform/mongo/migration'

/** The migrations of this service's database, in order; none yet (docs/upgrading.md#writing-a-migration). */
export const migrations: readonly Migration[] = []
