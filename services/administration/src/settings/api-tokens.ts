import { Controller } from '@nestjs/common'
import { issueApiToken, revokeApiToken } from '@partsbus/contracts/administration/settings-commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { Changes } from '../audit/changes.js'
import { generateToken, withOverlap } from './access-token.js'
import { nameCurrent } from './name-current.js'
import { SettingsStore } from './settings-store.js'
import { SettingsWriter } from './settings-writer.js'

/** The tokens of the ERP API and the partner API. */
@Controller()
export class ApiTokens {
  constructor(
    private readonly store: SettingsStore,
    private readonly writer: SettingsWriter,
    private readonly changes: Changes,
  ) {}

  /**
   * Replaces the token; the reply is the only one that contains the new one (admin.md#tokens-issue). The one before it
   * is rejected by every gateway when this resolves, or after the overlap (admin.md#tokens-overlap).
   */
  @Handles(issueApiToken)
  async issueApiToken({ body }: CallOf<typeof issueApiToken>) {
    const { audience, overlap_minutes = 0, caller, if_revisions } = body
    const { token, hash, shown } = generateToken(new Date())
    const change = () =>
      this.writer.change(if_revisions, (stored) => ({
        ...stored,
        tokens: { ...stored.tokens, [audience]: withOverlap(hash, stored.tokens[audience], overlap_minutes) },
      }))
    const { after } = await this.changes.record(caller, {
      action: `${audience}-token.issue`,
      details: {},
      make: () => nameCurrent(this.store, change()),
      resultDetails: ({ before, after }) => ({
        last4: shown.last4,
        replaced: before.tokens[audience]?.last4 ?? null,
        ...previousValidUntil(after.tokens[audience]),
      }),
    })
    return { token, ...shown, ...previousValidUntil(after.tokens[audience]), revision: after.rev }
  }

  /** Succeeds even if there is no token (admin.md#tokens-revoke). */
  @Handles(revokeApiToken)
  async revokeApiToken({ body: { audience, caller, if_revisions } }: CallOf<typeof revokeApiToken>) {
    await this.changes.record(caller, {
      action: `${audience}-token.revoke`,
      details: {},
      make: () =>
        nameCurrent(
          this.store,
          this.writer.change(if_revisions, (stored) => ({ ...stored, tokens: { ...stored.tokens, [audience]: null } })),
        ),
      resultDetails: ({ before }) => ({ last4: before.tokens[audience]?.last4 ?? null }),
    })
    return {}
  }
}

function previousValidUntil(hash: { previous?: { valid_until: Date } } | null) {
  const until = hash?.previous?.valid_until
  return until && { previous_valid_until: until.toISOString() }
}
