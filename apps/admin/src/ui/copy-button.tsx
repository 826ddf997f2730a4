import { useState } from 'react'
import { useTexts } from '../texts/language.js'
import { Button } from './button.js'

/** How long it says that it has copied, ms. */
const SAYS_FOR_MS = 2_000

export function CopyButton({ text, label, isSmall = true }: { text: string; label?: string; isSmall?: boolean }) {
  const t = useTexts()
  const [isCopied, setIsCopied] = useState(false)
  const copy = () => {
    void navigator.clipboard.writeText(text).then(() => {
      setIsCopied(true)
      setTimeout(() => setIsCopied(false), SAYS_FOR_MS)
    })
  }
  return (
    <Button isSmall={isSmall} icon={isCopied ? 'good' : 'copy'} onClick={copy} aria-live="polite">
      {isCopied ? t.general.copied : (label ?? t.general.copy)}
    </Button>
  )
}
