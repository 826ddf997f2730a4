import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { DropArea } from '../ui/drop-area.js'
import { Progress } from '../ui/meter.js'
import { RefusalNotice } from '../ui/refusal.js'
import { useFormats } from '../ui/use-formats.js'
import { useUpload } from './use-upload.js'

/** Drop a file: it is sent, read and shown; nothing is imported yet. */
export function UploadArea({ listId, text }: { listId: number; text: string }) {
  const t = useTexts()
  const formats = useFormats()
  const { state, start, cancel } = useUpload(listId)
  if (state === undefined || state.error !== undefined) {
    return (
      <div className="stack">
        {state?.error !== undefined && <RefusalNotice error={state.error} />}
        <DropArea onFiles={([file]) => file && void start(file)}>{text}</DropArea>
      </div>
    )
  }
  const { file, sent } = state
  const isSent = sent >= file.size
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
        <Button isSmall onClick={cancel}>
          {t.priceLists.uploading.cancel}
        </Button>
      </div>
    </div>
  )
}
