import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useMay } from '../calls/session.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { EditForm } from '../ui/edit-form.js'
import { Notice } from '../ui/panel.js'
import { Empty } from '../ui/state.js'
import { toast } from '../ui/toast.js'
import { useDraft } from '../ui/use-draft.js'
import { type PriceList, useSaveList, useWatchedPriceList } from './price-list-calls.js'
import { PriceListFrame } from './price-list-frame.js'
import { SourceCard } from './source-card.js'
import {
  addSource,
  MAX_SOURCES,
  readSources,
  removeSource,
  SOURCE_KINDS,
  type SourceDraft,
  type SourceDrafts,
  serverName,
  toSourceDrafts,
  withSavedKeys,
} from './source-draft.js'

/** Where the files of one list are fetched from. */
export function SourcesPage() {
  const id = Number(useParams({ from: '/frame/price-lists/$id/sources' }).id)
  useWatchedPriceList(id)
  return (
    <PriceListFrame id={id}>
      {(list, revision) => <SourcesForm key={id} list={list} revision={revision} />}
    </PriceListFrame>
  )
}

function SourcesForm({ list, revision }: { list: PriceList; revision: string | null }) {
  const t = useTexts()
  const mayChange = useMay('manager')
  const stored = useMemo(() => toSourceDrafts(list.sources), [list.sources])
  const form = useDraft<SourceDrafts>(stored, revision)
  const save = useSaveList(list.id, () => toast(t.sources.saved))
  const { sources, isValid } = readSources(form.draft, form.base)
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
      <EditForm
        form={form}
        labels={labels}
        error={save.error}
        check={{ path: 'PATCH /price-lists/:id', body: { sources } }}
        isBusy={save.isPending}
        isReady={mayChange && isValid}
        onSave={() =>
          save.mutate(
            { patch: { sources }, ifMatch: form.revision },
            {
              onSuccess: ({ answer, etag }) => {
                const saved = toSourceDrafts(answer.sources)
                form.saved(saved, etag, (drafts) => withSavedKeys(drafts, form.draft, saved))
              },
            },
          )
        }
        readCurrent={(current) => toSourceDrafts((current as PriceList).sources)}
        onConflictOver={save.reset}
      >
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
