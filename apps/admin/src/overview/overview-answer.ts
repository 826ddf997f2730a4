import type { AnswerOf } from '@partsbus/contracts/http/admin'

/** A part that did not answer in time is null. */
export type Overview = AnswerOf<'GET /overview'>
export type ServiceState = Overview['services'][number]
/** A newer service may send a code that these pages do not know. */
export type Problem = Omit<Overview['problems'][number], 'code'> & { code: string }
export type Imports = NonNullable<Overview['imports']>
export type Supplier = NonNullable<Overview['suppliers']>[number]
export type Api = Overview['apis']['erp']
export type References = AnswerOf<'GET /references'>
