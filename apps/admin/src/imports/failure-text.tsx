/** Why an import failed, in the language in which the server tells it. */
export const FailureText = ({ text }: { text: string }) => <p lang={/[а-яё]/i.test(text) ? 'ru' : 'en'}>{text}</p>
