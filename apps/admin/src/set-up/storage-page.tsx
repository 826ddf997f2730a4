import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { AnswerError } from '@partsbus/client/answer-error'
import { useMemo } from 'react'
import { useMay } from '../calls/session.js'
import { useTexts } from '../texts/language.js'
import { Check, Choice, Field } from '../ui/field.js'
import { EditForm } from '../ui/edit-form.js'
import { Page } from '../ui/page.js'
import { Panel } from '../ui/panel.js'
import { Loaded } from '../ui/state.js'
import { TextFields } from '../ui/text-fields.js'
import { toast } from '../ui/toast.js'
import { useDraft } from '../ui/use-draft.js'
import { DeleteButton } from './delete-button.js'
import { HeaderFields } from './header-fields.js'
import {
  type Storage,
  useCreateStorage,
  useDeleteStorage,
  useSaveStorage,
  useStorage,
  useTestSupplier,
} from './set-up-calls.js'
import { isOtherAddress, NEW_STORAGE, readSupplier, type StorageDraft, toStorageDraft } from './storage-draft.js'
import { SupplierTest } from './supplier-test.js'

const DIALECTS = ['standard', 'abcp', 'autoeuro'] as const
const KINDS = ['own-stock', 'price-list', 'http'] as const

export function StoragePage() {
  const { id } = useParams({ from: '/frame/storages/$id' })
  return id === 'new' ? <NewStorage /> : <OneStorage key={id} id={id} />
}

function NewStorage() {
  const t = useTexts()
  return (
    <Page title={t.setUp.storages.new} above={<Link to="/storages">{t.setUp.storages.toList}</Link>}>
      <StorageForm storage={undefined} revision={null} />
    </Page>
  )
}

function OneStorage({ id }: { id: string }) {
  const t = useTexts()
  const words = t.setUp.storages
  const navigate = useNavigate()
  const mayChange = useMay('owner')
  const storage = useStorage(Number(id))
  const remove = useDeleteStorage(() => void navigate({ to: '/storages' }))
  const list = <Link to="/storages">{words.toList}</Link>
  const data = storage.data
  return (
    <Page
      title={data?.answer.name ?? words.gone(id)}
      above={list}
      actions={
        mayChange &&
        data && <DeleteButton id={data.answer.id} revision={data.etag} name={data.answer.name} remove={remove} />
      }
    >
      <Loaded from={storage} part="storages" gone={{ what: words.gone(id), link: list }}>
        {({ answer, etag }) => <StorageForm storage={answer} revision={etag} />}
      </Loaded>
    </Page>
  )
}

function StorageForm({ storage, revision }: { storage: Storage | undefined; revision: string | null }) {
  const t = useTexts()
  const words = t.setUp.storages
  const navigate = useNavigate()
  const mayChange = useMay('owner')
  const stored = useMemo(() => (storage ? toStorageDraft(storage) : NEW_STORAGE), [storage])
  const form = useDraft<StorageDraft>(stored, revision)
  const create = useCreateStorage(({ id }) => void navigate({ to: '/storages/$id', params: { id: String(id) } }))
  const save = useSaveStorage(storage?.id ?? 0)
  const test = useTestSupplier()
  const { draft, changed } = form
  const { supplier, invalid } = readSupplier(draft)
  const labels = {
    name: words.name,
    base_url: words.address,
    'supplier.base_url': words.address,
    timeout_ms: words.timeout,
    cache_seconds: words.cache,
    ...Object.fromEntries(draft.headers.map(({ name }) => [`supplier.headers.${name}`, words.headerValue(name)])),
  }
  const body = { name: draft.name, is_active: draft.is_active, supplier }
  const submit = () => {
    test.reset()
    if (storage === undefined) return create.mutate(body)
    save.mutate(
      { body, ifMatch: form.revision },
      {
        onSuccess: ({ answer, etag }) => {
          form.saved(toStorageDraft(answer), etag)
          toast(t.setUp.saved)
        },
      },
    )
  }
  return (
    <div className="beside">
      <Panel>
        <EditForm
          form={form}
          labels={labels}
          check={{ path: storage === undefined ? 'POST /storages' : 'PATCH /storages/:id', body }}
          error={create.error ?? save.error ?? onlyViolations(test.error)}
          isBusy={create.isPending || save.isPending || create.isSuccess}
          isReady={mayChange && invalid.length === 0}
          isNew={storage === undefined}
          submitText={storage === undefined ? t.setUp.create : undefined}
          onSave={submit}
          readCurrent={(current) => toStorageDraft(current as Storage)}
          onConflictOver={save.reset}
        >
          <TextFields
            names={['name']}
            draft={draft}
            labels={labels}
            changed={changed}
            isDisabled={!mayChange}
            isRequired={['name']}
            onChange={form.change}
          />
          <Check
            isSwitch
            label={t.setUp.active}
            isOn={draft.is_active}
            disabled={!mayChange}
            onChange={(is_active) => form.change({ is_active })}
          />
          <Choice
            label={words.kind}
            value={draft.kind}
            options={KINDS.map((value) => ({ value, label: words.kinds[value] }))}
            onChange={(kind) => form.change({ kind })}
          />
          {draft.kind === 'http' && (
            <>
              <Field label={words.address} path="supplier.base_url" isRequired isChanged={changed.includes('base_url')}>
                {(control) => (
                  <input
                    {...control}
                    inputMode="url"
                    placeholder="https://"
                    disabled={!mayChange}
                    value={draft.base_url}
                    onChange={(event) => form.change({ base_url: event.target.value })}
                  />
                )}
              </Field>
              <div className="fields">
                <Field label={words.dialect} path="supplier.dialect" isChanged={changed.includes('dialect')}>
                  {(control) => (
                    <select
                      {...control}
                      disabled={!mayChange}
                      value={draft.dialect}
                      onChange={({ target }) =>
                        form.change({ dialect: DIALECTS.find((name) => name === target.value) ?? 'standard' })
                      }
                    >
                      {DIALECTS.map((name) => (
                        <option key={name} value={name}>
                          {name}
                        </option>
                      ))}
                    </select>
                  )}
                </Field>
                <TextFields
                  names={['timeout_ms', 'cache_seconds']}
                  draft={draft}
                  labels={labels}
                  hints={{ timeout_ms: words.timeoutHint, cache_seconds: words.cacheHint }}
                  errors={Object.fromEntries(invalid.map((name) => [name, words.noNumber]))}
                  changed={changed}
                  isDisabled={!mayChange}
                  inputMode="decimal"
                  onChange={form.change}
                />
              </div>
              <HeaderFields
                headers={draft.headers}
                isOtherAddress={isOtherAddress(form.base, draft)}
                isDisabled={!mayChange}
                onChange={(headers) => form.change({ headers })}
              />
            </>
          )}
        </EditForm>
      </Panel>
      {mayChange && draft.kind !== 'price-list' && (
        <SupplierTest
          supplier={supplier}
          storageId={storage?.id}
          isReady={invalid.length === 0}
          test={test}
          onAsk={() => {
            create.reset()
            save.reset()
          }}
        />
      )}
    </div>
  )
}

/** What else a test is refused for stands beside its button. */
const onlyViolations = (error: unknown) => (error instanceof AnswerError && error.status === 422 ? error : null)
