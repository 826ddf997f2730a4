import { Inject, Injectable } from '@nestjs/common'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import type { StoredSource } from '../price-lists/price-list-record.js'
import { openPassword } from '../price-lists/source-password.js'
import { SourceFailure } from './source-failure.js'

@Injectable()
export class SourcePasswords {
  constructor(
    private readonly secrets: SecretBox,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** @throws SourceFailure when it was encrypted with another key */
  open(listId: number, { id, sealed_password }: Pick<StoredSource, 'id' | 'sealed_password'>): string | undefined {
    if (sealed_password === null) return undefined
    try {
      return openPassword(this.secrets, sealed_password, listId, id)
    } catch (error) {
      this.log.error({ err: error }, 'the password of a source cannot be read with this SECRETS_KEY')
      throw new SourceFailure(
        'The stored password cannot be read with the key that the service has now. Send the password again.',
        'SECRET_UNREADABLE',
      )
    }
  }
}
