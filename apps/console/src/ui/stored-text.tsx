import classes from './stored-text.module.css';

interface StoredTextProps {
  readonly children: string;
  /** Keeps line breaks, for longer text. */
  readonly isBlock?: boolean;
}

/** Text that somebody else has written: shown as text, never as markup, and kept from turning its surroundings around. */
export const StoredText = ({ children, isBlock = false }: StoredTextProps) =>
  isBlock ? (
    <div dir="auto" className={classes.block}>
      {children}
    </div>
  ) : (
    <bdi className={classes.inline}>{children}</bdi>
  );
