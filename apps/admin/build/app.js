/** Runs before the first paint: theme, language, then the pages of the gateway that answered. */
;(() => {
  const page = document.documentElement
  const stored = (name) => {
    try {
      return localStorage.getItem(`partsbus.${name}`)
    } catch {
      return null
    }
  }
  const theme = stored('theme')
  if (theme === 'light' || theme === 'dark') page.dataset.theme = theme
  const language = stored('language') ?? navigator.language
  page.lang = language.startsWith('ru') ? 'ru' : 'en'

  const styles = '%STYLES%'
  // index.html of another version names a style sheet that this gateway may not have
  if (styles && !document.querySelector(`link[href="${styles}"]`)) {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = styles
    document.head.append(link)
  }

  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  // from the cache the entry would run before the page has its root
  const parsed = new Promise((resolve) => addEventListener('DOMContentLoaded', resolve, { once: true }))
  const start = async () => {
    await parsed
    for (const pause of [300, 1_000, 0]) {
      try {
        return await import('%MAIN%')
      } catch (error) {
        if (pause === 0) throw error
        await wait(pause)
      }
    }
  }
  start().catch((error) => {
    // once: a page that cannot be loaded must not reload for ever
    if (sessionStorage.getItem('partsbus.reloaded') === '%VERSION%') {
      document.querySelector('#root').textContent =
        page.lang === 'ru' ? 'Страница не загрузилась. Обновите её.' : 'The page could not be loaded. Reload it.'
      throw error
    }
    sessionStorage.setItem('partsbus.reloaded', '%VERSION%')
    location.reload()
  })
})()
