import { AppError } from '@partsbus/contracts/app-error'

/** The reply of a service; undefined when it has not what it is asked for. @throws AppError other than NOT_FOUND */
export async function ifFound<Reply>(request: Promise<Reply>): Promise<Reply | undefined> {
  try {
    return await request
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}
