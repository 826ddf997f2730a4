import { Link } from '@tanstack/react-router'
import { useTexts } from '../texts/language.js'
import { IconButton } from '../ui/button.js'
import styles from './head-bar.module.css'
import { JumpBox } from './jump-box.js'
import { Logo } from './logo.js'
import { PersonMenu } from './person-menu.js'
import { Preferences } from './preference-controls.js'

export function HeadBar({ isMenuOpen, onMenu }: { isMenuOpen: boolean; onMenu: () => void }) {
  const t = useTexts()
  return (
    <header className={styles.head}>
      <span className={styles.menu}>
        <IconButton
          icon="menu"
          label={isMenuOpen ? t.shell.closeMenu : t.shell.openMenu}
          aria-expanded={isMenuOpen}
          onClick={onMenu}
        />
      </span>
      <Link to="/" className={styles.product}>
        <Logo />
        <span>{t.shell.product}</span>
      </Link>
      <JumpBox />
      <div className={styles.right}>
        <Preferences />
        <PersonMenu />
      </div>
    </header>
  )
}
