import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../calls/session.js'
import { useCall, useSend } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Count } from '../ui/amount.js'
import { Button } from '../ui/button.js'
import { Confirm } from '../ui/confirm.js'
import { Mark } from '../ui/mark.js'
import { Panel } from '../ui/panel.js'
import { Loaded } from '../ui/state.js'
import { type Column, Table } from '../ui/table.js'
import { Time } from '../ui/time.js'
import { useFormats } from '../ui/use-formats.js'
import { versionNumber, type PriceList, type Version, staleLists } from './price-list-calls.js'
import { PriceListFrame } from './price-list-frame.js'
import { UploadArea } from './upload-area.js'
import { hasSettings, isKnown, isMadeOtherwise, type Settings } from './version-settings.js'

/** The live version of a list, and the versions that can become live again. */
export function PriceListPage() {
  const t = useTexts()
  const id = Number(useParams({ from: '/frame/price-lists/$id' }).id)
  const mayChange = useMay('manager')
  const versions = useCall('GET /price-lists/:id/versions', { params: { id } })
  const hasVersions = (versions.data?.length ?? 0) > 0
  return (
    <PriceListFrame id={id}>
      {(list) => (
        <>
          {mayChange && (
            <Panel title={t.priceLists.live.uploadTitle}>
              <UploadArea listId={id} text={hasVersions ? t.priceLists.live.another : t.priceLists.live.none} />
            </Panel>
          )}
          <Loaded from={versions} part="price-lists">
            {(data) => (data.length === 0 ? null : <Versions list={list} versions={data} />)}
          </Loaded>
        </>
      )}
    </PriceListFrame>
  )
}

function Versions({ list, versions }: { list: PriceList; versions: Version[] }) {
  const t = useTexts()
  const formats = useFormats()
  const mayChange = useMay('manager')
  const [wanted, setWanted] = useState<Version>()
  const rollback = useSend('POST /price-lists/:id/rollback', { stale: staleLists, onDone: () => setWanted(undefined) })
  const live = versions.find(({ is_active }) => is_active)
  const terms = ({ markup_percent, delivery_days }: Settings) =>
    t.priceLists.live.terms(formats.exact(markup_percent ?? 0), delivery_days)
  const columns: Column<Version>[] = [
    {
      key: 'version',
      head: t.priceLists.live.version,
      isName: true,
      cell: (version) => formats.number(versionNumber(version)),
    },
    { key: 'rows', head: t.priceLists.live.rows, isNumber: true, cell: ({ rows }) => <Count value={rows} /> },
    ...(versions.some(hasSettings)
      ? [
          {
            key: 'settings',
            head: t.priceLists.live.settings,
            isMinor: true,
            cell: (version: Version) => (isKnown(version) ? terms(version) : t.general.none),
          },
        ]
      : []),
    { key: 'since', head: t.priceLists.live.since, cell: ({ created_at }) => <Time at={created_at} /> },
    {
      key: 'task',
      head: t.priceLists.live.task,
      cell: ({ task_id }) => (
        <Link to="/imports/$id" params={{ id: String(task_id) }}>
          {String(task_id)}
        </Link>
      ),
    },
    {
      key: 'state',
      head: '',
      cell: (version) =>
        version.is_active ? (
          <Mark tone="good">{t.priceLists.live.isLive}</Mark>
        ) : mayChange ? (
          <Button
            isSmall
            isWrite
            aria-label={`${t.priceLists.live.rollback}: ${t.priceLists.live.version} ${versionNumber(version)}`}
            onClick={() => setWanted(version)}
          >
            {t.priceLists.live.rollback}
          </Button>
        ) : null,
    },
  ]
  return (
    <Panel title={t.priceLists.live.versions} isFlush>
      <Table caption={t.priceLists.live.versions} rows={versions} rowKey={({ version }) => version} columns={columns} />
      {wanted && (
        <Confirm
          title={t.priceLists.live.rollbackTitle}
          act={t.priceLists.live.rollbackAct}
          isDangerous={false}
          isBusy={rollback.isPending}
          error={rollback.error}
          onConfirm={() => rollback.mutate({ params: { id: list.id }, body: { version: wanted.version } })}
          onClose={() => setWanted(undefined)}
        >
          <p>{t.priceLists.live.rollbackText(live?.rows ?? 0, wanted.rows)}</p>
          {isMadeOtherwise(wanted, list) === undefined && <p>{t.priceLists.live.rollbackPrices}</p>}
          {isMadeOtherwise(wanted, list) === true && (
            <p>{t.priceLists.live.rollbackSettings(terms(wanted), terms(list))}</p>
          )}
        </Confirm>
      )}
    </Panel>
  )
}
