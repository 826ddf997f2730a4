import { describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/app-error'
import { PriceFileError, ReaderUnavailable } from '@partsbus/price-file/price-file-error'
import { toCheckError } from './check-file.js'

describe('an error while a file is checked', () => {
  it.each<[string, unknown, object]>([
    [
      'reports an invalid file when the reader found an error',
      new PriceFileError('DAMAGED', 'The archive is damaged.'),
      { code: 'INVALID_FILE', details: { reason: 'The archive is damaged.' } },
    ],
    [
      'keeps what the reader found for the log, and for a source',
      new PriceFileError('WEB_PAGE', 'This is a web page, not a price list.'),
      { code: 'INVALID_FILE', cause: { problem: 'WEB_PAGE' } },
    ],
    ['asks to try again when no reader process starts', new ReaderUnavailable('no process'), { code: 'OVERLOADED' }],
    [
      'reports that the file cannot be stored when there is no temporary folder',
      Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'mkdtemp' }),
      { code: 'STORE_FAILED', message: 'Failed to store uploaded file.' },
    ],
    ['stays what it is when it has a code', new AppError('NOT_FOUND', 'Not found.'), { code: 'NOT_FOUND' }],
  ])('%s', (_what, error, expected) => {
    expect(toCheckError(error)).toMatchObject(expected)
  })
})
