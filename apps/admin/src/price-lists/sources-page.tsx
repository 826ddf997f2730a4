import { useParams } from '@tanstack/react-router'
import { useMay } from '../calls/session.js'
import { useRevision } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { EditForm } from '../ui/edit-form.js'
import { Notice } from '../ui/panel.js'
import { Empty } from '../ui/state.js'
import { toast } from '../ui/toast.js'
import { useResourceForm } from '../ui/use-resource-form.js'
import { type PriceList, staleLists, EVERY_MS } from './price-list-calls.js'
import { PriceListFrame } from './price-list-frame.js'
import { SourceCard } from './source-card.js'
import {
  addSource,
  MAX_SOURCES,
  readSources,
  removeSource,
  SOURCE_KINDS,
  type SourceDraft,
  serverName,
  toSourceDrafts,
  withSavedKeys,
} from './source-draft.js'

/** Where the files of one list are fetched from. */
export function SourcesPage() {
  const id = Number(useParams({ from: '/frame/price-lists/$id/sources' }).id)
  // the last runs of its sources change without anybody's doing
  useRevision('GET /price-lists/:id', { params: { id }, everyMs: EVERY_MS })
  return (
    <PriceListFrame id={id}>
      {(list, revision) => <SourcesForm key={id} list={list} revision={revision} />}
    </PriceListFrame>
  )
}

function SourcesForm({ list, revision }: { list: PriceList; revision: string | null }) {
  const t = useTexts()
  const mayChange = useMay('manager')
  const { form, edit, save } = useResourceForm({
    path: 'PATCH /price-lists/:id',
    params: { id: list.id },
    resource: list,
    revision,
    toDraft: toDrafts,
    read: readSources,
    labels: {},
    mayChange,
    stale: staleLists,
    rename: withSavedKeys,
    onSaved: () => toast(t.sources.saved),
  })
  const cards = Object.entries(form.draft)
  const titleOf = (draft: SourceDraft): string => t.sources.title(t.sources.kinds[draft.kind], serverName(draft))
  const labels = Object.fromEntries(
    cards.flatMap(([key, draft], at) => {
      const title = titleOf(draft)
      const named = Object.entries({
        ...t.sources.fields,
        every_minutes: t.sources.everyMinutes,
        is_active: t.sources.on,
        secure: t.sources.secure,
      })
      return [
        [key, title],
        ...named.flatMap(([name, label]) => [
          [`${key}.${name}`, `${title} · ${label}`],
          [`sources.${at}.${name}`, `${title} · ${label}`],
        ]),
      ]
    }),
  ) as Record<string, string>
  return (
    <>
      <p className="muted">{t.sources.lead}</p>
      {!list.is_active && <Notice tone="warning" title={t.sources.inactiveList} />}
      <EditForm {...edit} labels={labels}>
        {cards.length === 0 && (
          <Empty icon="download" title={t.sources.empty}>
            {t.sources.emptyText}
          </Empty>
        )}
        {cards.map(([key, draft], at) => (
          <SourceCard
            key={key}
            listId={list.id}
            path={`sources.${at}.`}
            title={titleOf(draft)}
            labels={labels}
            draft={draft}
            stored={form.base[key]}
            lastRun={list.sources.find(({ id }) => id === draft.id)?.last_run ?? null}
            changed={form.changed
              .filter((path) => path.startsWith(`${key}.`))
              .map((path) => path.slice(key.length + 1))}
            saveError={save.error}
            isDisabled={!mayChange}
            onChange={(part) => form.change({ [key]: { ...draft, ...part } })}
            onRemove={() => {
              // the violations name the sources by their place
              save.reset()
              form.replace(removeSource(form.draft, key))
            }}
          />
        ))}
        {mayChange && cards.length < MAX_SOURCES && (
          <div className="row">
            {SOURCE_KINDS.map((kind) => (
              <Button key={kind} icon="add" onClick={() => form.replace(addSource(form.draft, kind))}>
                {t.sources.add[kind]}
              </Button>
            ))}
          </div>
        )}
      </EditForm>
    </>
  )
}

const toDrafts = ({ sources }: PriceList) => toSourceDrafts(sources)
