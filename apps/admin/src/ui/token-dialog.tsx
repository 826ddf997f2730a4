import { useTexts } from '../texts/language.js'
import { Button, buttonClass } from './button.js'
import { CopyButton } from './copy-button.js'
import { Dialog } from './dialog.js'
import { Icon } from './icon.js'
import styles from './token-dialog.module.css'

interface TokenDialogProps {
  title: string
  /** A token or a link: shown once, gone with the dialog. */
  token: string
  fileName: string
  /** Instructions for its use. */
  text?: string
  onKept: () => void
}

/** Neither Escape nor a click outside closes it: what it shows cannot be shown again. */
export function TokenDialog({ title, token, fileName, text, onKept }: TokenDialogProps) {
  const t = useTexts()
  return (
    <Dialog
      title={title}
      actions={
        <Button kind="primary" onClick={onKept}>
          {t.kit.token.kept}
        </Button>
      }
    >
      {text !== undefined && <p>{text}</p>}
      <input
        className={styles.token}
        readOnly
        value={token}
        aria-label={title}
        onFocus={(event) => event.target.select()}
      />
      <div className="row">
        <CopyButton text={token} isSmall={false} />
        <a
          className={buttonClass()}
          download={fileName}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(token)}`}
        >
          <Icon name="download" />
          {t.kit.token.download}
        </a>
      </div>
      <p className="muted small">{t.kit.token.once}</p>
    </Dialog>
  )
}
