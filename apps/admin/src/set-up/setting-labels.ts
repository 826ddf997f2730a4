import type { Texts } from '../texts/en.js'

/** Setting → the name a person knows. */
export function settingLabels(words: Texts['setUp']['settings']): Record<string, string> {
  return {
    erp_enabled: words.enabled.erp,
    b2b_enabled: words.enabled.b2b,
    erp_storage_id: words.storage,
    erp_pick_up_point_id: words.point,
    erp_allowed_ips: words.allowed,
    erp_error_policy: words.policy,
    erp_max_batch_items: words.batch,
    erp_rate_limit: words.rate,
    b2b_rate_limit: words.rate,
    storages_for_crosses: words.crosses,
    'price-lists.import.max_file_size': words.size,
    media_allowed_hosts: words.hosts,
    media_wait_ms: words.wait,
    admin_locale: words.locale,
    retention_days: words.retention,
    audit_retention_days: words.auditRetention,
    maintenance: words.maintenance,
  }
}
