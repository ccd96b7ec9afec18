import classes from './stored-text.module.css';

interface StoredTextProps {
  readonly children: string;
  /** Keeps line breaks, for longer text. */
  readonly isBlock?: boolean;
}

/** Text from other authors: shown as text, never as markup, and isolated so that its direction does not affect the text around it. */
export const StoredText = ({ children, isBlock = false }: StoredTextProps) =>
  isBlock ? (
    <div dir="auto" className={classes.block}>
      {children}
    </div>
  ) : (
    <bdi className={classes.inline}>{children}</bdi>
  );
