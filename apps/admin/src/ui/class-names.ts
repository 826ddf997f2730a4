/** `classNames(styles.a, isOn && styles.b)`. */
export const classNames = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ')
