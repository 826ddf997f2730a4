/** Why an import or the run of a source failed, in the language in which the server tells it. */
export const FailureText = ({ text, className }: { text: string; className?: string }) => (
  <p lang={/[а-яё]/i.test(text) ? 'ru' : 'en'} className={className}>
    {text}
  </p>
)
