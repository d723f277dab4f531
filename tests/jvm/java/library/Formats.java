// SPDX-License-Identifier: MIT
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.MessageFormat;
import java.text.SimpleDateFormat;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.Locale;
import java.util.TimeZone;

/** Formats and calendars, which are not made for several threads, used by several. */
final class Formats {
    interface Step {
        Object run(int me, int i) throws Exception;
    }

    static void shared(String name, Step step) throws Exception {
        System.out.println(name);
        Race.run(3, (me, seen) -> {
            for (int i = 0; i < 40; i++)
                try {
                    seen.append(step.run(me, i)).append(' ');
                } catch (RuntimeException | java.text.ParseException e) {
                    seen.append(e).append(' ');
                }
        });
    }

    public static void main(String[] arguments) throws Exception {
        SimpleDateFormat date = new SimpleDateFormat("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
        date.setTimeZone(TimeZone.getTimeZone("UTC"));
        shared("SimpleDateFormat", (me, i) -> {
            String text = date.format(new Date(86_400_123_000L * (me * 40 + i)));
            return date.parse(text).getTime() + "=" + text;
        });
        DecimalFormat decimal = new DecimalFormat("#,##0.000", DecimalFormatSymbols.getInstance(Locale.ROOT));
        shared("DecimalFormat", (me, i) -> {
            String text = decimal.format(me * 1234567.875 + i);
            return decimal.parse(text) + "=" + text;
        });
        MessageFormat message = new MessageFormat("{0} of {1}", Locale.ROOT);
        shared("MessageFormat", (me, i) -> message.format(new Object[] {me, i * 1000}));
        Calendar calendar = new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.ROOT);
        shared("Calendar", (me, i) -> {
            calendar.clear();
            calendar.set(2000 + me, i % 12, 1 + i % 28);
            calendar.add(Calendar.DAY_OF_MONTH, me * 31);
            return calendar.getTimeInMillis() + ":" + calendar.get(Calendar.DAY_OF_WEEK);
        });
    }
}
