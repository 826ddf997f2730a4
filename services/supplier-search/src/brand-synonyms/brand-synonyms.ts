import { Controller } from '@nestjs/common'
import { brandKey } from '@partsbus/contracts/article'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { ReplyOf } from '@partsbus/contracts/message'
import { assertRevision, changedMeanwhile, type Revised } from '@partsbus/contracts/revision'
import * as contract from '@partsbus/contracts/supplier-search/commands'
import { ViolationList } from '@partsbus/contracts/violation'
import type { CallOf } from '@partsbus/platform/bus/call'
import { fitMessage } from '@partsbus/platform/bus/fit-message'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { groupKeys, type SynonymGroup } from './brand-names.js'
import { BrandSynonymStore } from './brand-synonym-store.js'

type Fields = Omit<SynonymGroup, 'id'>

/** Attempts to change a group that others are changing. */
const ATTEMPTS = 5

/** Bytes of a group: 1,001 spellings of 191 characters, each of six bytes where it is escaped. */
const LARGEST = 1_001 * (191 * 6 + 3)

/** Groups of brand spellings (admin.md#brand-synonyms). */
@Controller()
export class BrandSynonyms {
  constructor(private readonly groups: BrandSynonymStore) {}

  /** By `id`. A page that would outgrow one message of the bus ends early; `after_id` continues behind it. */
  @Handles(contract.listBrandSynonyms)
  async listBrandSynonyms(
    call: CallOf<typeof contract.listBrandSynonyms>,
  ): Promise<ReplyOf<typeof contract.listBrandSynonyms>> {
    const page = await this.groups.list(call.body)
    return { ...page, data: [...fitMessage(page.data, LARGEST)] }
  }

  /** @throws AppError NOT_FOUND */
  @Handles(contract.getBrandSynonym)
  async getBrandSynonym(call: CallOf<typeof contract.getBrandSynonym>): Promise<Revised<SynonymGroup>> {
    return revisedView(orNotFound(await this.groups.get(call.body.id)))
  }

  /** @throws AppError CONTRACT_VIOLATION when a spelling belongs to another group */
  @Handles(contract.createBrandSynonym)
  async createBrandSynonym(call: CallOf<typeof contract.createBrandSynonym>): Promise<Revised<SynonymGroup>> {
    const fields = distinctSpellings({ canonical: call.body.canonical, synonyms: call.body.synonyms ?? [] })
    await this.checkSpellings(fields)
    const created = await this.groups.insert(fields)
    if (created) return { ...created, revision: 1 }
    // another group took one of the spellings meanwhile; the second check names it
    await this.checkSpellings(fields)
    throw new AppError('CONFLICT', 'Another group with one of these spellings was created and deleted; try again.')
  }

  /**
   * `synonyms` is replaced as a whole.
   * @throws AppError NOT_FOUND, CHANGED, or CONTRACT_VIOLATION when a spelling belongs to another group
   */
  @Handles(contract.patchBrandSynonym)
  async patchBrandSynonym(call: CallOf<typeof contract.patchBrandSynonym>): Promise<Revised<SynonymGroup>> {
    const { id, patch, if_revisions } = call.body
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const stored = orNotFound(await this.groups.get(id))
      assertRevision(if_revisions, revisedView(stored))
      const fields = distinctSpellings({
        canonical: patch.canonical ?? stored.canonical,
        synonyms: patch.synonyms ?? stored.synonyms,
      })
      await this.checkSpellings(fields, id)
      if (await this.groups.replace({ id, rev: stored.rev, ...fields }))
        return { id, ...fields, revision: stored.rev + 1 }
    }
    throw new AppError('CONFLICT', 'Others are changing this group; try again.')
  }

  /** @throws AppError NOT_FOUND, or CHANGED */
  @Handles(contract.deleteBrandSynonym)
  async deleteBrandSynonym(call: CallOf<typeof contract.deleteBrandSynonym>): Promise<Record<string, never>> {
    const { id, if_revisions } = call.body
    if (await this.groups.delete(id, if_revisions)) return {}
    throw changedMeanwhile(revisedView(orNotFound(await this.groups.get(id))))
  }

  /**
   * A spelling belongs to one group only, in any writing.
   * @param ownId of the group that may already have these spellings
   * @throws AppError CONTRACT_VIOLATION that names each spelling and the group that has it
   */
  private async checkSpellings({ canonical, synonyms }: Fields, ownId?: number): Promise<void> {
    const groups = await this.groups.findByKeys(groupKeys({ canonical, synonyms }))
    const others = groups.filter((group) => group.id !== ownId)
    const owners = new Map(others.flatMap((group) => groupKeys(group).map((key) => [key, group] as const)))
    const violations = new ViolationList()
    for (const [index, spelling] of [canonical, ...synonyms].entries()) {
      const path = index === 0 ? 'canonical' : `synonyms.${index - 1}`
      const key = brandKey(spelling)
      const owner = owners.get(key)
      if (key === '') violations.set(path, 'invalid', `The ${path} must contain more than quotes.`)
      else if (owner)
        violations.set(
          path,
          'taken',
          `The spelling "${spelling}" already belongs to the group ${owner.id} "${owner.canonical}".`,
        )
    }
    violations.assertNone()
  }
}

function revisedView({ rev, ...group }: SynonymGroup & { rev: number }): Revised<SynonymGroup> {
  return { ...group, revision: rev }
}

function distinctSpellings({ canonical, synonyms }: Fields): Fields {
  return { canonical, synonyms: [...new Set(synonyms)] }
}

function orNotFound<Group extends SynonymGroup>(group: Group | undefined): Group {
  if (!group) throw new AppError('NOT_FOUND', texts.notFound)
  return group
}
