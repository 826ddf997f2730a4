import { prefix } from '../browser/page-address.js'
import { buttonClass } from './button.js'
import { Icon } from './icon.js'

/** Downloads of one table as CSV and as XLSX, with the filters that are shown. */
export function DownloadLinks({
  path,
  query,
  labels,
}: {
  /** below `/api/admin`, without its ending */
  path: string
  /** what is empty, absent or false is left out */
  query: Record<string, string | number | boolean | undefined>
  labels: { csv: string; xlsx: string }
}) {
  const filter = Object.entries(query).filter(([, value]) => value !== undefined && value !== '' && value !== false)
  const search = new URLSearchParams(filter.map(([name, value]) => [name, String(value)])).toString()
  return (['csv', 'xlsx'] as const).map((format) => (
    <a
      key={format}
      className={buttonClass()}
      href={`${prefix}/api/admin${path}.${format}${search === '' ? '' : `?${search}`}`}
      download
    >
      <Icon name="download" />
      {labels[format]}
    </a>
  ))
}
