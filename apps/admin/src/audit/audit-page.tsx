import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useReferences } from '../calls/use-overview.js'
import { useSession } from '../calls/session.js'
import { useCall } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { AppLink } from '../ui/app-link.js'
import { Button, IconButton } from '../ui/button.js'
import { dayRange } from '../ui/day-range.js'
import { ChoiceFilter, DayFilter, Filters, TextFilter } from '../ui/filters.js'
import { Badge } from '../ui/mark.js'
import { Page } from '../ui/page.js'
import { PagedTable } from '../ui/paged-table.js'
import { Notice } from '../ui/panel.js'
import { Empty, Loaded, Skeleton } from '../ui/state.js'
import { type Column, LongText } from '../ui/table.js'
import { Time } from '../ui/time.js'
import { VisuallyHidden } from '../ui/visually-hidden.js'
import { type AuditEntry, PER_PAGE } from './audit-calls.js'
import { isOutcomeUnknown } from './audit-details.js'
import { AuditEntryDetails } from './audit-entry.js'
import { actorName, actorOf, subjectTarget, wordEntry, wordSubject } from './audit-subject.js'
import { wordReason } from './value-words.js'

export function AuditPage() {
  const t = useTexts()
  const { session } = useSession()
  const filter = useSearch({ from: '/frame/audit' })
  const navigate = useNavigate({ from: '/audit' })
  const days = dayRange(filter.from, filter.to, session.administrator.time_zone ?? undefined)
  const entries = useCall('GET /audit', { query: { ...filter, ...days, per_page: PER_PAGE } })
  const [openId, setOpenId] = useState<string>()
  const columns = useColumns(openId, (id) => setOpenId(id === openId ? undefined : id))
  const narrow = (part: Partial<typeof filter>) =>
    void navigate({ search: (old) => ({ ...old, page: 1, ...part }), replace: true })
  return (
    <Page title={t.shell.pages.audit}>
      <Filters label={t.shell.pages.audit}>
        <TextFilter
          label={t.audit.person}
          placeholder={t.audit.wholeName}
          value={filter.actor}
          onChange={(actor) => narrow({ actor: actorOf(actor, t.shell.person.token) })}
        />
        <ChoiceFilter
          label={t.audit.action}
          all={t.audit.allActions}
          value={filter.action === '' ? undefined : filter.action}
          options={choices(t.audit.actions, filter.action)}
          onChange={(action = '') => narrow({ action })}
        />
        <ChoiceFilter
          label={t.audit.subjectHead}
          all={t.audit.allEntities}
          value={filter.entity === '' ? undefined : filter.entity}
          options={choices(t.audit.entities, filter.entity)}
          onChange={(entity = '') => narrow({ entity, entity_id: '' })}
        />
        {(filter.entity !== '' || filter.entity_id !== '') && (
          <TextFilter label={t.audit.number} value={filter.entity_id} onChange={(entity_id) => narrow({ entity_id })} />
        )}
        <DayFilter label={t.audit.from} value={filter.from} onChange={(from) => narrow({ from })} />
        <DayFilter label={t.audit.to} value={filter.to} onChange={(to) => narrow({ to })} />
      </Filters>
      {filter.request_id !== '' && (
        <Notice tone="info">
          <p className="row">
            {t.audit.onlyRequest} <code>{filter.request_id}</code>
            <Button isSmall onClick={() => narrow({ request_id: '' })}>
              {t.audit.showAll}
            </Button>
          </p>
        </Notice>
      )}
      <Loaded from={entries} skeleton={<Skeleton lines={12} />}>
        {({ data, total }) => (
          <PagedTable
            caption={t.audit.caption}
            columns={columns}
            rows={data}
            rowKey={({ id }) => id}
            isStale={entries.isPlaceholderData}
            empty={<Empty icon="audit" title={t.audit.empty} />}
            below={(entry) =>
              entry.id === openId ? (
                // the names of its fields are texts of the page that changes them
                <Suspense fallback={<Skeleton lines={3} />}>
                  <AuditEntryDetails entry={entry} />
                </Suspense>
              ) : undefined
            }
            page={filter.page}
            perPage={PER_PAGE}
            total={total}
            onPage={(page) => void navigate({ search: (old) => ({ ...old, page }) })}
          />
        )}
      </Loaded>
    </Page>
  )
}

/** What these pages know, and what the URL asks for. */
function choices(words: Record<string, string>, asked: string) {
  const known = Object.entries(words).map(([value, label]) => ({ value, label }))
  return asked === '' || Object.hasOwn(words, asked) ? known : [...known, { value: asked, label: asked }]
}

function useColumns(openId: string | undefined, toggle: (id: string) => void): Column<AuditEntry>[] {
  const t = useTexts()
  const references = useReferences().data
  return [
    {
      key: 'open',
      head: <VisuallyHidden>{t.audit.open}</VisuallyHidden>,
      cell: (entry) => (
        <IconButton
          isSmall
          icon={entry.id === openId ? 'down' : 'right'}
          label={t.audit.show(wordEntry(entry, t.audit))}
          aria-expanded={entry.id === openId}
          onClick={() => toggle(entry.id)}
        />
      ),
    },
    { key: 'time', head: t.audit.time, isShort: true, cell: ({ at }) => <Time at={at} /> },
    { key: 'person', head: t.audit.person, cell: (entry) => actorName(entry, t.shell.person.token) ?? t.general.none },
    {
      key: 'action',
      head: t.audit.action,
      isName: true,
      cell: (entry) => (
        <>
          {wordEntry(entry, t.audit)}{' '}
          {isOutcomeUnknown(entry.details) && <Badge tone="warning">{t.audit.unknown}</Badge>}
        </>
      ),
    },
    {
      key: 'subject',
      head: t.audit.subjectHead,
      cell: (entry) => {
        // settings that are changed together with something else
        const text = wordReason(entry.details.reason, t.audit, references) ?? wordSubject(entry, t.audit, references)
        const target = subjectTarget(entry)
        if (text === undefined) return t.general.none
        if (target === undefined) return <LongText text={text} />
        return <AppLink {...target}>{text}</AppLink>
      },
    },
    { key: 'address', head: t.audit.address, isMinor: true, cell: ({ address }) => address ?? t.general.none },
  ]
}
