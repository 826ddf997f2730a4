import { formatLabels } from '../price-lists/format-labels.js'
import { settingLabels } from '../set-up/setting-labels.js'
import type { Texts } from '../texts/en.js'

type Labels = Record<string, string>

/** The name of a field of an entry as its form has it; undefined for what no form shows. */
export function fieldLabel(entity: string | null, path: string, t: Texts): string | undefined {
  const labels = entity !== null && Object.hasOwn(LABELS, entity) ? LABELS[entity]?.(t) : undefined
  if (labels !== undefined && Object.hasOwn(labels, path)) return labels[path]
  return path === 'id' ? t.audit.number : path.startsWith('sources.') ? sourceLabel(path, t) : undefined
}

/** Each reads the texts of its page alone, which are loaded when they are read. */
const LABELS: Record<string, (t: Texts) => Labels> = {
  settings: ({ setUp, audit }) => ({ ...settingLabels(setUp.settings), reason: audit.reason }),
  'price-list': (t) => {
    const { priceLists } = t
    const { name, storage, mode, settings, live } = priceLists
    return {
      name,
      storage_id: storage,
      is_active: settings.activate,
      mode,
      markup_percent: settings.markup,
      delivery_days: settings.deliveryDays,
      min_rows_ratio: settings.guard,
      version: live.version,
      task_id: live.task,
      file_name: t.audit.fileName,
      size: t.audit.fileSize,
      format: priceLists.tabs.format,
      sources: priceLists.tabs.sources,
      ...Object.fromEntries(Object.entries(formatLabels(t)).map(([field, label]) => [`format.${field}`, label])),
    }
  },
  'erp-token': ({ audit }) => ({ last4: audit.lastFour }),
  'b2b-token': ({ audit }) => ({ last4: audit.lastFour }),
  'import-task': ({ audit }) => ({ file_name: audit.fileName, size: audit.fileSize }),
  storage: ({ setUp }) => ({
    name: setUp.storages.name,
    is_active: setUp.active,
    'supplier.kind': setUp.storages.kind,
    'supplier.base_url': setUp.storages.address,
    'supplier.dialect': setUp.storages.dialect,
    'supplier.timeout_ms': setUp.storages.timeout,
    'supplier.cache_seconds': setUp.storages.cache,
  }),
  'pick-up-point': ({ setUp }) => {
    const { name, country, region, city, address, phone, email, schedule, description, storages } = setUp.points
    const texts = { name, country, region, city, address, phone, email, schedule, description }
    return { ...texts, storage_ids: storages, is_active: setUp.active }
  },
  'brand-synonym': ({ setUp }) => ({ canonical: setUp.brands.canonical, synonyms: setUp.brands.synonyms }),
  administrator: ({ people, shell, audit }) => {
    const { name, displayName, role, active } = people.administrators
    return {
      name,
      display_name: displayName,
      role,
      is_active: active,
      time_zone: people.account.zone,
      locale: shell.language,
      theme: shell.theme.label,
      password: audit.password,
      expires_at: audit.validUntil,
    }
  },
  supply: ({ catalog }) => {
    const { purchase, selling, old, reserved, shipped } = catalog.supplies
    return { purchase_price: purchase, selling_price: selling, old_price: old, reserved, shipped }
  },
}

function sourceLabel(path: string, { sources, priceLists }: Texts): string | undefined {
  const [, at, field = ''] = /^sources\.(\d+)\.(.+)$/.exec(path) ?? []
  const { fields, kind, everyMinutes: every_minutes, on: is_active, secure } = sources
  const labels: Labels = { ...fields, kind, every_minutes, is_active, secure }
  if (!Object.hasOwn(labels, field)) return undefined
  return `${priceLists.tabs.sources} ${Number(at) + 1} · ${labels[field]}`
}
