import { createTheme, Modal } from '@mantine/core';

/**
 * Nothing here may become a style element at run time, which the page's policy forbids: colours other than Mantine's
 * own are in global.css, and a modal does not lock the scrolling of the page, because Mantine uses such an element for
 * that.
 */
export const theme = createTheme({
  primaryColor: 'teal',
  defaultRadius: 'md',
  components: {
    Modal: Modal.extend({
      defaultProps: { lockScroll: false, centered: true, closeButtonProps: { 'aria-label': 'Close' } },
    }),
  },
});
