import { Injectable } from '@nestjs/common'
import type { SettingsPatch } from '@partsbus/contracts/administration/settings'
import { getPickUpPoint, getStorage } from '@partsbus/contracts/stock/commands'
import { ViolationList } from '@partsbus/contracts/violation'
import { BusClient } from '@partsbus/platform/bus/client'
import { ifFound } from '@partsbus/platform/bus/if-found'
import { isAddressOrRange } from '@partsbus/platform/net/address-list'
import { isHostName } from './host-name.js'
import { type Reference, listReferences } from './settings-references.js'

/** Concurrent requests to the stock service. */
const PARALLEL = 16

@Injectable()
export class CheckSettings {
  constructor(private readonly calls: BusClient) {}

  /**
   * Checks what the schema of the settings does not: syntax of addresses and host names, existence of storages and
   * pick-up points.
   * @throws AppError CONTRACT_VIOLATION listing every violation, or UNAVAILABLE when the stock service cannot be asked
   */
  async assertValid(patch: SettingsPatch): Promise<void> {
    const violations = new ViolationList()
    for (const [index, text] of (patch.erp_allowed_ips ?? []).entries()) {
      if (!isAddressOrRange(text))
        violations.set(
          `erp_allowed_ips.${index}`,
          'format',
          `The erp_allowed_ips.${index} must be an IP address or a CIDR range.`,
        )
    }
    for (const [index, text] of (patch.media_allowed_hosts ?? []).entries()) {
      if (!isHostName(text) && !isAddressOrRange(text)) {
        violations.set(
          `media_allowed_hosts.${index}`,
          'format',
          `The media_allowed_hosts.${index} must be a host name, an IP address or a CIDR range.`,
        )
      }
    }
    const references = listReferences(patch)
    for (let from = 0; from < references.length; from += PARALLEL) {
      const some = references.slice(from, from + PARALLEL)
      const known = await Promise.all(some.map((reference) => referenceExists(this.calls, reference)))
      for (const [index, { path }] of some.entries()) {
        if (!known[index]) violations.set(path, 'exists', `The selected ${path} is invalid.`)
      }
    }
    violations.assertNone()
  }
}

/** Whether the stock service has it. */
export async function referenceExists(calls: Pick<BusClient, 'request'>, { kind, id }: Pick<Reference, 'kind' | 'id'>) {
  return (await ifFound(calls.request(kind === 'storage' ? getStorage : getPickUpPoint, { id }))) !== undefined
}
