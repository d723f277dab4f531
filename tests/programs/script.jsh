int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
System.out.println("fib 15: " + fib(15))
record Pair(String name, long at) { }
var pairs = new java.util.ArrayList<Pair>();
for (int i = 0; i < 5; i++) pairs.add(new Pair("n" + i, System.nanoTime()));
pairs.forEach(System.out::println)
class Counter extends Thread { static int count; public void run() { for (int i = 0; i < 2000; i++) count++; } }
var threads = java.util.stream.Stream.generate(Counter::new).limit(3).toList();
threads.forEach(Thread::start)
for (Thread t : threads) t.join();
System.out.println("count " + Counter.count)
System.out.println(Math.random() + " " + new Object().hashCode())
int wrong = "text";
/vars
/exit
