// Before the page is drawn: the theme that the reader chose last.
try {
  const kept = localStorage.getItem("lapdp-theme");
  if (kept) document.documentElement.dataset.theme = kept;
} catch (refused) {
  document.documentElement.dataset.storage = "refused";  // some browsers keep nothing for files
}
