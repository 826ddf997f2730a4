import { AnswerError } from '@partsbus/client/answer-error'
import { useEffect, useState } from 'react'
import { useCall } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { MEGABYTE } from '../ui/draft-fields.js'
import { DropArea } from '../ui/drop-area.js'
import { Progress } from '../ui/meter.js'
import { Notice } from '../ui/panel.js'
import { RefusalNotice } from '../ui/refusal.js'
import { useFormats } from '../ui/use-formats.js'
import { fileRefusal, HEAD_BYTES } from './file-refusal.js'
import { type UploadState, useUpload } from './use-upload.js'

/** Drop a file: it is sent, read and shown; nothing is imported yet. */
export function UploadArea({ listId, text }: { listId: number; text: string }) {
  const { state, start, cancel } = useUpload()
  return (
    <div className="stack">
      {state && <Upload state={state} onCancel={cancel} />}
      {(state === undefined || state.error !== undefined) && (
        <DropArea onFiles={([file]) => file && void start(listId, file)}>{text}</DropArea>
      )}
    </div>
  )
}

/** How far a file is on its way, or why it was refused. */
export function Upload({ state: { file, sent, error }, onCancel }: { state: UploadState; onCancel: () => void }) {
  const t = useTexts()
  const formats = useFormats()
  const isSent = sent >= file.size
  if (error !== undefined) return <RefusedFile file={file} error={error} />
  return (
    <div className="stack-tight" role="status">
      <p>{file.name}</p>
      <Progress label={t.priceLists.uploading.label} value={isSent ? undefined : sent} max={file.size} />
      <div className="row-apart">
        <p className="number">
          {isSent
            ? t.priceLists.uploading.reading
            : t.priceLists.uploading.progress(formats.size(sent), formats.size(file.size))}
        </p>
        <Button isSmall onClick={onCancel}>
          {t.priceLists.uploading.cancel}
        </Button>
      </div>
    </div>
  )
}

/** What to do about a file that the server refused, else its reason. */
function RefusedFile({ file, error }: { file: File; error: unknown }) {
  const words = useTexts().priceLists.uploading.refused
  const formats = useFormats()
  const maxBytes = useCall('GET /settings', {}).data?.['price-lists.import.max_file_size']
  const isRefused = error instanceof AnswerError && (error.status === 400 || error.status === 413)
  const head = useHead(file)
  const refusal = isRefused && head !== undefined ? fileRefusal(file, { maxBytes, head }) : undefined
  if (refusal === undefined || maxBytes === undefined) return <RefusalNotice error={error} />
  return <Notice tone="danger" title={words[refusal](formats.decimal(maxBytes / MEGABYTE))} />
}

/** The first bytes of a file; undefined until they are read, none of a file that is gone. */
function useHead(file: File): Uint8Array | undefined {
  const [head, setHead] = useState<{ of: File; bytes: Uint8Array }>()
  useEffect(() => {
    const take = (bytes: ArrayBuffer | Uint8Array) => setHead({ of: file, bytes: new Uint8Array(bytes) })
    file
      .slice(0, HEAD_BYTES)
      .arrayBuffer()
      .then(take, () => take(new Uint8Array()))
  }, [file])
  return head?.of === file ? head.bytes : undefined
}
