import { AppError } from '@partsbus/contracts/errors'

/** Whether a service has what it is asked for. @throws AppError of the request, other than NOT_FOUND */
export async function isFound(request: Promise<unknown>): Promise<boolean> {
  try {
    await request
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return false
    throw error
  }
}
