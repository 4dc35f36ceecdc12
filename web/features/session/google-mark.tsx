/** Google's mark, in the colours its sign-in rules ask for. */
export function GoogleMark() {
  return (
    <svg aria-hidden viewBox="0 0 48 48" className="size-18">
      <path fill="#4285F4" d="M45.1 24.5c0-1.6-.1-3.1-.4-4.5H24v8.5h11.8c-.5 2.7-2.1 5.1-4.4 6.6v5.5h7.1c4.2-3.8 6.6-9.5 6.6-16.1z" />
      <path
        fill="#34A853"
        d="M24 46c5.9 0 10.9-2 14.6-5.4l-7.1-5.5c-2 1.3-4.5 2.1-7.5 2.1-5.7 0-10.6-3.9-12.3-9.1H4.3v5.7C8 41.1 15.4 46 24 46z"
      />
      <path fill="#FBBC05" d="M11.7 28.1a13.3 13.3 0 0 1 0-8.3v-5.7H4.3a22 22 0 0 0 0 19.7l7.4-5.7z" />
      <path
        fill="#EA4335"
        d="M24 10.7c3.2 0 6.1 1.1 8.4 3.3l6.3-6.3C34.9 4.1 29.9 2 24 2 15.4 2 8 6.9 4.3 14.1l7.4 5.7c1.7-5.2 6.6-9.1 12.3-9.1z"
      />
    </svg>
  );
}
