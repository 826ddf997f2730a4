import { Link } from '@tanstack/react-router'
import { useReferences } from '../calls/use-overview.js'
import { useTexts } from '../texts/language.js'
import { Facts, Notice } from '../ui/panel.js'
import { LongText } from '../ui/table.js'
import { useFormats } from '../ui/use-formats.js'
import type { AuditEntry } from './audit-calls.js'
import { detailLines, isOutcomeUnknown } from './audit-details.js'
import { fieldLabel } from './field-labels.js'
import { valueWords } from './value-words.js'

/** An open entry: what was changed, and the way to what belongs to it. */
export function AuditEntryDetails({ entry }: { entry: AuditEntry }) {
  const t = useTexts()
  const formats = useFormats()
  const references = useReferences().data
  const { entity, entity_id, request_id, details } = entry
  const lines = detailLines(details, { ...t.general, word: valueWords(entity, { t, formats, references }) })
  return (
    <div className="stack">
      {isOutcomeUnknown(details) && <Notice tone="warning">{t.audit.unknownText}</Notice>}
      {lines.length === 0 ? (
        <p className="muted">{t.audit.noDetails}</p>
      ) : (
        <Facts
          facts={lines.map(({ name, before, value }) => ({
            name: fieldLabel(entity, name, t) ?? <code>{name}</code>,
            value: <LongText text={before === undefined ? value : t.audit.change(before, value)} />,
          }))}
        />
      )}
      <p className="row small">
        {entity !== null && entity_id !== null && (
          <Link to="/audit" search={{ entity, entity_id: String(entity_id) }}>
            {t.audit.allOfSubject}
          </Link>
        )}
        {request_id !== null && (
          <>
            <Link to="/audit" search={{ request_id }}>
              {t.audit.allOfRequest}
            </Link>
            <span className="muted">
              {t.audit.request} <code>{request_id}</code>
            </span>
          </>
        )}
      </p>
    </div>
  )
}
